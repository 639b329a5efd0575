import { ConfigurationError } from '../../errors/configuration.js';
import type { Profile } from '../../profile/profile.js';
import { type SignatureScheme, serviceSignature, timestampedSignature } from '../signature/signature-scheme.js';

/** How deliveries are signed and written. */
export interface DeliveryStyle {
  readonly scheme: SignatureScheme;
  /** The field of an event that holds its content. */
  readonly content: 'data' | 'payload';
}

const SIGNED = /^(hex|base64)(_with_timestamp(_header)?)?$/;
const CONTENT = /^(data|payload)$/;

/** The style that a profile says (gaps SIG-1 and EVT-1). */
export function styleOf(profile: Profile | undefined): DeliveryStyle {
  const { 'SIG-1': signed = 'hex', 'EVT-1': content = 'data' } = profile?.choices ?? {};
  if (!SIGNED.test(signed)) throw new ConfigurationError(`The option profile: SIG-1 is not ${SIGNED.source}.`);
  if (!CONTENT.test(content)) throw new ConfigurationError(`The option profile: EVT-1 is not ${CONTENT.source}.`);
  const timestampHeader = signed.endsWith('r') ? 'X-Service-Timestamp' : undefined;
  return {
    scheme: signed.includes('_') ? timestampedSignature({ timestampHeader }) : serviceSignature,
    content: content as DeliveryStyle['content'],
  };
}
