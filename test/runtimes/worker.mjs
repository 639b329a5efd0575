// The smoke suite as a Worker: no disk, no Node, `fetch` of the runtime and WebCrypto.
import { constructEventAsync, signPayloadAsync } from 'online-ordering-sdk/webhooks';
import { parts, runParts } from './smoke.mjs';

export default {
  async fetch(request) {
    const options = await request.json();
    return Response.json(await runParts(parts({ options, sign: signPayloadAsync, verify: constructEventAsync })));
  },
};
