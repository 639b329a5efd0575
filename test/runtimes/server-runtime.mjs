// The smoke suite on Node, Bun and Deno, which have a disk and Node's crypto.
import { fileJournal } from 'online-ordering-sdk';
import { constructEvent, signPayload } from 'online-ordering-sdk/webhooks';
import { parts, runParts } from './smoke.mjs';

const { SMOKE_OPTIONS, SMOKE_JOURNAL } = process.env;
const options = JSON.parse(SMOKE_OPTIONS);
const { ok, lines } = await runParts(
  parts({ options, journal: fileJournal(SMOKE_JOURNAL), sign: signPayload, verify: constructEvent }),
);
console.log(lines.join('\n'));
process.exit(ok ? 0 : 1);
