import { useEffect, useState } from 'preact/hooks';
import { type ClockState, get, post } from './api';
import { act, useStore } from './state';

const STEPS = ['1s', '30s', '5m', '1h', '25h'];

/** Stands in the head of every view: the time decides what the others show. */
export function Clock() {
  const { versions, requests } = useStore();
  const [clock, setClock] = useState<ClockState>();
  const running = clock?.running ?? false;
  const version = `${versions.clock} ${versions.everything} ${versions.webhooks} ${requests.size}`;
  useEffect(() => {
    const read = (): void => act(get<ClockState>('/clock').then(setClock));
    // Many changes in a row are read once.
    const soon = setTimeout(read, 100);
    const timer = running ? setInterval(read, 1000) : undefined;
    return () => {
      clearTimeout(soon);
      clearInterval(timer);
    };
  }, [version, running]);
  const move = (path: string, body?: unknown): void => act(post<ClockState>(path, body).then(setClock));
  if (!clock) return null;
  return (
    <fieldset class="clock">
      <legend class="hidden">Clock</legend>
      <output title={clock.now}>
        <span class={`dot ${clock.running ? 'good' : 'wait'}`}>{clock.running ? 'runs' : 'stands'}</span>{' '}
        {clock.now.slice(0, 10)} <b>{clock.now.slice(11, 19)}</b>
      </output>
      <button type="button" class="small" onClick={() => move(clock.running ? '/clock/stop' : '/clock/start')}>
        {clock.running ? 'Stand still' : 'Run'}
      </button>
      {STEPS.map((step) => (
        <button
          type="button"
          class="small"
          key={step}
          aria-label={`Step ${step}`}
          onClick={() => move('/clock/advance', { duration: step })}
        >
          +{step}
        </button>
      ))}
    </fieldset>
  );
}
