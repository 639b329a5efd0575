import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from './api';
import { Clock } from './clock';
import { FaultsView } from './faults';
import { MoneyView, Orders } from './orders';
import { Requests } from './requests';
import { act, follow, store, useStore } from './state';
import { Carts, MenuView } from './stores';
import { Webhooks } from './webhooks';

const VIEWS = [
  { name: 'Requests', View: Requests },
  { name: 'Orders', View: Orders },
  { name: 'Money', View: MoneyView },
  { name: 'Carts', View: Carts },
  { name: 'Menu', View: MenuView },
  { name: 'Webhooks', View: Webhooks },
  { name: 'Faults', View: FaultsView },
] as const;

const THEMES = ['system', 'light', 'dark'];

const viewOfAddress = (): number =>
  Math.max(
    0,
    VIEWS.findIndex(({ name }) => `#${name.toLowerCase()}` === location.hash),
  );

function Page() {
  const { connected, problem } = useStore();
  const [at, setAt] = useState(viewOfAddress);
  const [theme, setTheme] = useState('system');
  const tabs = useRef<HTMLDivElement>(null);
  const { View, name } = VIEWS[at]!;
  useEffect(() => {
    const onHash = (): void => setAt(viewOfAddress());
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    document.title = `${name} – Workbench`;
  }, [theme, name]);

  const go = (to: number): void => {
    const next = (to + VIEWS.length) % VIEWS.length;
    location.hash = VIEWS[next]!.name.toLowerCase();
    setAt(next);
    (tabs.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <>
      <header class="head">
        <h1>
          Workbench{' '}
          <span class={`dot ${connected ? 'good' : 'bad'}`} role="status">
            {connected ? 'live' : 'not connected'}
          </span>
        </h1>
        <Clock />
        <span class="right">
          <select aria-label="Theme" value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
            {THEMES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <button
            type="button"
            onClick={() => {
              const question = 'Forget all orders, carts, requests and events? Subscriptions of webhooks stay.';
              if (confirm(question)) act(post('/reset', { keepSubscriptions: true }));
            }}
          >
            Reset
          </button>
        </span>
      </header>
      <div
        role="tablist"
        aria-label="Views"
        class="tabs"
        ref={tabs}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') go(at + 1);
          if (event.key === 'ArrowLeft') go(at - 1);
          if (event.key === 'Home') go(0);
          if (event.key === 'End') go(-1);
        }}
      >
        {VIEWS.map((view, index) => (
          <button
            type="button"
            role="tab"
            key={view.name}
            id={`tab-${view.name}`}
            aria-selected={index === at}
            aria-controls="view"
            tabIndex={index === at ? 0 : -1}
            onClick={() => go(index)}
          >
            {view.name}
          </button>
        ))}
      </div>
      {problem && (
        <p class="problem" role="alert">
          {problem}{' '}
          <button type="button" class="plain" aria-label="Dismiss" onClick={() => store.say('')}>
            ✕
          </button>
        </p>
      )}
      <main>
        <div id="view" role="tabpanel" aria-labelledby={`tab-${name}`}>
          <View key={name} />
        </div>
      </main>
    </>
  );
}

follow();
render(<Page />, document.getElementById('page')!);
