// Makes the declarations compile in strict projects that check libraries, whatever types they have:
// - `/mock` names types of msw, an optional peer, and of Node: where they are not installed they become `any`;
// - `await using` needs `Symbol.asyncDispose`, which a project's `lib` may leave out.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const OPTIONAL_TYPES = /^import .* from ['"](?:msw|node:buffer)['"];$/gm;
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

for (const name of readdirSync(dist).filter((file) => /\.d\.c?ts$/.test(file))) {
  const file = new URL(name, dist);
  const text = readFileSync(file, 'utf8');
  const optional = text.replace(OPTIONAL_TYPES, '// @ts-ignore: types that may not be installed\n$&');
  const marked = /\basyncDispose\b|\bAsyncDisposable\b/.test(optional) ? DISPOSABLE + optional : optional;
  if (marked !== text) writeFileSync(file, marked);
}
