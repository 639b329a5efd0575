// The declarations of `/mock` name types of msw, an optional peer. Where it is not installed they become `any`, and a
// strict project without `skipLibCheck` still compiles.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const OPTIONAL_PEER = /^import .* from ['"]msw['"];$/gm;

for (const name of readdirSync(dist).filter((file) => /\.d\.c?ts$/.test(file))) {
  const file = new URL(name, dist);
  const text = readFileSync(file, 'utf8');
  const marked = text.replace(OPTIONAL_PEER, '// @ts-ignore: an optional peer\n$&');
  if (marked !== text) writeFileSync(file, marked);
}
