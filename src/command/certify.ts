import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { captureDelivery } from '../certify/capture.js';
import { type CertifyDeps, certify } from '../certify/certify.js';
import { htmlOf } from '../certify/report/html.js';
import { junitOf } from '../certify/report/junit.js';
import { markdownOf } from '../certify/report/markdown.js';
import { endLines, resultLine } from '../certify/report/terminal.js';
import type { CapturedDelivery, Scene, SceneSettings } from '../certify/scene.js';
import { environmentOf } from '../doctor/settings.js';
import { isObject } from '../wire/wire.js';
import type { CommandOutput } from './subcommand.js';

const PROFILE_FILE = 'online-ordering.profile.json';

const USAGE = [
  'Usage: npx online-ordering-sdk certify --sandbox [options]',
  '',
  'Holds a sandbox to the interface document, finds out what the service chose where the document is silent, and writes a',
  'profile for client and mock. It WRITES: carts, orders, payments, refunds, webhook subscriptions. Address and credentials',
  'come from ONLINE_ORDERING_BASE_URL, ONLINE_ORDERING_CLIENT_ID and ONLINE_ORDERING_CLIENT_SECRET.',
  '',
  '  --sandbox               says that the address is a sandbox',
  '  --yes                   does not ask before it starts',
  '  --payment-token TOKEN   of a card that the sandbox approves; without it orders are paid in CASH',
  '  --declined-token TOKEN  of a card that the sandbox declines',
  '  --promo-code CODE       a code that the sandbox knows, and that takes something off any cart',
  '  --fixed-promo-code CODE a code that takes a fixed amount off',
  '  --member ID             a customer_id with member prices',
  '  --gift-card NUMBER      of the sandbox; NUMBER:PIN where it has a PIN',
  '  --loyalty-account ID    of the sandbox',
  '  --delivery FILE         one captured delivery: { "headers": { … }, "body": "…", "secret": "whsec_…" }; the secret may',
  '                          also stand in ONLINE_ORDERING_WEBHOOK_SECRET',
  '  --webhook-url URL       an https address that leads to this machine (a tunnel): one delivery is captured there',
  '  --webhook-port PORT     where it arrives on this machine (default 4011)',
  '  --gaps                  decides the gaps alone: some 300 requests in place of some 3,000',
  '  --only SECTION          tries the rows of sections that begin so alone: "Cart rules"; may come again',
  `  --profile FILE          where the profile goes (default ${PROFILE_FILE})`,
  '  --html FILE, --markdown FILE, --junit FILE, --json FILE   reports',
  '  --production            for an address that names itself production; must be written twice',
  '',
  'Exit code: 0 every row holds that could be tried, 1 some differ, 2 it did not start.',
].join('\n');

export interface CertifyCommandDeps {
  /** Asks a question, and gives what was typed; `undefined` when nobody can type. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  readonly environment?: NodeJS.ProcessEnv;
  readonly certifyParts?: CertifyDeps;
}

/** `online-ordering-sdk certify`. */
export async function runCertify(
  args: readonly string[],
  output: CommandOutput,
  { ask = askAtTerminal, environment = process.env, certifyParts = {} }: CertifyCommandDeps = {},
): Promise<number> {
  const { out, err } = output;
  let values: ReturnType<typeof readArguments>;
  try {
    values = readArguments(args);
  } catch (error) {
    err(`${error instanceof Error ? error.message.split(/\.\s/)[0] : error}\n\n${USAGE}`);
    return 2;
  }
  if (values.help) {
    out(USAGE);
    return 0;
  }
  const credentials = credentialsIn(environment);
  const refusal = 'problem' in credentials ? credentials.problem : refusalOf(credentials.baseUrl, values);
  if ('problem' in credentials || refusal !== undefined) {
    err(refusal!);
    return 2;
  }
  const { host } = new URL(credentials.baseUrl);
  const question = `This makes carts, orders, payments, refunds and subscriptions at ${host}. Go on? (yes/no) `;
  if (!values.yes && !/^y(es)?$/i.test((await ask(question)) ?? '')) {
    err('Nothing was sent. Type yes, or write --yes where nobody can be asked.');
    return 2;
  }

  const delivery = await deliveryOf(values, environment);
  const { report, profile } = await certify(credentials, {
    ...givenIn(values),
    rows: !values.gaps,
    only: values.only,
    delivery,
    tell(result) {
      const line = resultLine(result);
      if (line !== undefined) out(line);
    },
    ...certifyParts,
  });
  for (const line of endLines(report)) out(line);
  const files: readonly (readonly [string | undefined, () => string])[] = [
    [values.profile ?? PROFILE_FILE, () => `${JSON.stringify(profile, null, 2)}\n`],
    [values.html, () => htmlOf(report)],
    [values.markdown, () => markdownOf(report)],
    [values.junit, () => junitOf(report)],
    [values.json, () => `${JSON.stringify({ report, profile }, null, 2)}\n`],
  ];
  for (const [file, content] of files) {
    if (file === undefined) continue;
    await writeFile(file, content());
    out(`Written: ${file}`);
  }
  return report.checks.some(({ outcome }) => outcome === 'differs') ? 1 : 0;
}

function givenIn(values: ReturnType<typeof readArguments>): SceneSettings {
  const [number, pin] = values['gift-card']?.split(':') ?? [];
  return {
    paymentToken: values['payment-token'],
    declinedToken: values['declined-token'],
    promoCode: values['promo-code'],
    fixedPromoCode: values['fixed-promo-code'],
    member: values.member,
    giftCard: number === undefined ? undefined : { number, ...(pin !== undefined && { pin }) },
    loyaltyAccount: values['loyalty-account'],
  };
}

function credentialsIn(environment: NodeJS.ProcessEnv) {
  const { ONLINE_ORDERING_BASE_URL: baseUrl, ONLINE_ORDERING_CLIENT_ID: clientId } = environment;
  const { ONLINE_ORDERING_CLIENT_SECRET: clientSecret } = environment;
  if (!baseUrl || !clientId || !clientSecret || !URL.canParse(baseUrl)) {
    return { problem: 'Address or credentials are missing. `online-ordering-sdk doctor` says which.' };
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ''), clientId, clientSecret };
}

/** Why it does not start at all. */
function refusalOf(baseUrl: string, values: ReturnType<typeof readArguments>): string | undefined {
  const isProduction = environmentOf(new URL(baseUrl).hostname) === 'production';
  const saidProduction = values.production?.length ?? 0;
  if (isProduction && saidProduction < 2) {
    return 'The address names itself production, and this places real orders. Use a sandbox; if it must be, write --production twice.';
  }
  if (!values.sandbox && saidProduction < 2) {
    return `Write --sandbox to say that ${new URL(baseUrl).host} is one: this places orders and pays them.`;
  }
  return undefined;
}

async function deliveryOf(
  values: ReturnType<typeof readArguments>,
  environment: NodeJS.ProcessEnv,
): Promise<((scene: Scene) => Promise<CapturedDelivery>) | undefined> {
  const { delivery: file, 'webhook-url': webhookUrl } = values;
  if (file !== undefined) {
    const captured = await readDelivery(file, environment.ONLINE_ORDERING_WEBHOOK_SECRET);
    return () => Promise.resolve(captured);
  }
  if (webhookUrl === undefined) return undefined;
  return captureDelivery({ webhookUrl, port: Number(values['webhook-port'] ?? 4011) });
}

/** A delivery that was kept in a file. @throws Error that names the file, and what is wrong with it. */
async function readDelivery(file: string, givenSecret: string | undefined): Promise<CapturedDelivery> {
  const content: unknown = JSON.parse(await readFile(file, 'utf8'));
  const { headers, body, secret = givenSecret } = (isObject(content) ? content : {}) as Record<string, unknown>;
  if (!isObject(headers) || typeof body !== 'string' || typeof secret !== 'string') {
    throw new Error(
      `${file} is no delivery: write { "headers": { … }, "body": "the raw text", "secret": "whsec_…" }; the body is text, as it was received.`,
    );
  }
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { headers: Object.fromEntries(lower) as Record<string, string>, body, secret };
}

async function askAtTerminal(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

function readArguments(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      sandbox: { type: 'boolean' },
      production: { type: 'boolean', multiple: true },
      yes: { type: 'boolean' },
      'payment-token': { type: 'string' },
      'declined-token': { type: 'string' },
      'promo-code': { type: 'string' },
      'fixed-promo-code': { type: 'string' },
      member: { type: 'string' },
      'gift-card': { type: 'string' },
      'loyalty-account': { type: 'string' },
      gaps: { type: 'boolean' },
      only: { type: 'string', multiple: true },
      delivery: { type: 'string' },
      'webhook-url': { type: 'string' },
      'webhook-port': { type: 'string' },
      profile: { type: 'string' },
      html: { type: 'string' },
      markdown: { type: 'string' },
      junit: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;
}
