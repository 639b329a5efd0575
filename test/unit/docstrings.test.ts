import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

interface Documented {
  readonly name: string;
  readonly doc: string;
  readonly parameters: readonly string[];
  readonly isMethod: boolean;
}

/** The exported functions and the public methods of a file, overloads as one. */
function documentedIn(file: string): Documented[] {
  const source = ts.createSourceFile(file, readFileSync(SRC + file, 'utf8'), ts.ScriptTarget.ESNext, true);
  const found = new Map<string, Documented>();
  const add = (name: string, node: ts.SignatureDeclaration): void => {
    const doc = ts
      .getJSDocCommentsAndTags(node)
      .map((one) => one.getText())
      .join('\n');
    const parameters = node.parameters.map((one) => one.name.getText());
    const before = found.get(name);
    const all = [...(before?.parameters ?? []), ...parameters];
    found.set(name, {
      name: `${file} ${name}`,
      doc: `${before?.doc ?? ''}\n${doc}`,
      parameters: all,
      isMethod: ts.isMethodDeclaration(node),
    });
  };
  for (const node of source.statements) {
    if (ts.isFunctionDeclaration(node) && node.name && isExported(node)) add(node.name.text, node);
    if (!ts.isClassDeclaration(node) || !isExported(node)) continue;
    for (const member of node.members) {
      if (ts.isMethodDeclaration(member) && ts.isIdentifier(member.name)) add(member.name.text, member);
    }
  }
  return [...found.values()];
}

const isExported = (node: ts.FunctionDeclaration | ts.ClassDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/** A method of a resource is a request, or several. */
const RESOURCES = readdirSync(`${SRC}resources`, { recursive: true, encoding: 'utf8' })
  .filter((name) =>
    /(^|\/)(auth|carts|cart-items|promo-codes|locations|menus|orders|payments|refunds|webhook-subscriptions)\.ts$/.test(
      name,
    ),
  )
  .flatMap((name) => documentedIn(`resources/${name}`))
  .filter(({ isMethod }) => isMethod);

/** What else sends a request, reads a delivery, or judges what is about to be sent. */
const OTHERS = [
  ['client.ts', 'request'],
  ['pagination/page.ts', 'getNextPage'],
  ['pagination/page-list.ts', 'pages', 'toArray'],
  ['errors/payment.ts', 'resolve'],
  ['errors/operation.ts', 'resolve'],
  ['webhooks/delivery/construct-event.ts', 'constructEvent', 'constructEventAsync'],
  ['webhooks/signature/sign-payload.ts', 'signPayload', 'signPayloadAsync'],
  ['webhooks/receiver/receiver.ts', 'createWebhookReceiver'],
  ['webhooks/reconcile/reconciler.ts', 'runOnce'],
  ['menus/checks/check-cart.ts', 'checkCart'],
  ['menus/checks/check-item.ts', 'checkItem'],
  ['menus/checks/choices.ts', 'choices'],
  ['menus/checks/tenders.ts', 'allowedTenders'],
  ['menus/diff/diff.ts', 'diffMenus'],
  ['menus/model/menu-index.ts', 'indexMenu'],
  ['menus/model/price.ts', 'priceOf'],
  ['menus/stock/availability.ts', 'availability'],
  ['menus/sync/menu-cache.ts', 'createMenuCache'],
  ['menus/sync/watch-menus.ts', 'watchMenus'],
  ['hours/business-hours.ts', 'isOpen'],
  ['hours/sale-hours.ts', 'isOnSale'],
].flatMap(([file = '', ...names]) => {
  const all = documentedIn(file).filter(({ name }) => names.includes(name.split(' ')[1]!));
  expect(all).toHaveLength(names.length);
  return all;
});

const PUBLIC = [...RESOURCES, ...OTHERS];

test('whatever sends a request or judges one names the section of the interface document, or the gap', () => {
  const silent = PUBLIC.filter(({ doc }) => !/@see .*(Interface document|gap |docs\/payments\.md)/s.test(doc));

  expect(silent.map(({ name }) => name)).toEqual([]);
  expect(RESOURCES.length).toBeGreaterThan(30);
});

test('whatever sends a request or judges one names the errors to act on', () => {
  const silent = PUBLIC.filter(({ doc }) => !/@throws|Never throws/.test(doc));

  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('no @param names a parameter that is not there', () => {
  const wrong = PUBLIC.flatMap(({ name, doc, parameters }) =>
    [...doc.matchAll(/@param (\w+)/g)].flatMap(([, param]) =>
      parameters.includes(param!) ? [] : [`${name}: ${param}`],
    ),
  );

  expect(wrong).toEqual([]);
});
