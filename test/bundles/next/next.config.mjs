import { fileURLToPath } from 'node:url';

export default {
  outputFileTracingRoot: fileURLToPath(new URL('..', import.meta.url)),
  // Into the bundle: by itself Next leaves most packages of a server to `require`.
  transpilePackages: ['online-ordering-sdk'],
};
