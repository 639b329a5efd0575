import base from './tsup.config.js';
export default { ...(base as object), dts: false, entry: { index: 'src/index.ts', contract: 'src/contract/index.ts' }, outDir: '/tmp/b/dist' };
