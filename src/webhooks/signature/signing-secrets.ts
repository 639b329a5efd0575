import { ConfigurationError } from '../../errors/configuration.js';

/** The `signing_secret` of a subscription: text as the service gave it, or bytes for a service that encodes it. */
export type SigningSecret = string | Uint8Array;

/** One secret, or several while they are being rotated. */
export type SigningSecrets = SigningSecret | readonly SigningSecret[];

/** The secrets as a list. Refused are an empty list, and anything with which everybody's signature would match. */
export function secretList(secrets: SigningSecrets, option = 'The signing secret'): readonly SigningSecret[] {
  const list = Array.isArray(secrets) ? (secrets as readonly SigningSecret[]) : [secrets as SigningSecret];
  if (list.length === 0) throw new ConfigurationError(`${option} is an empty list. ${WHERE_IT_IS}`);
  for (let index = 0; index < list.length; index += 1) checkSecret(list[index], option);
  return list;
}

function checkSecret(secret: unknown, option: string): void {
  if (secret instanceof Uint8Array ? secret.byteLength > 0 : typeof secret === 'string' && secret.length > 0) {
    if (typeof secret === 'string' && hasSpaceAround(secret)) {
      throw new ConfigurationError(`${option} has white space around it: trim it.`);
    }
    return;
  }
  const what = secret === '' || secret instanceof Uint8Array ? 'empty' : `${secret === null ? 'null' : typeof secret}`;
  throw new ConfigurationError(`${option} is ${what}. ${WHERE_IT_IS}`);
}

const WHERE_IT_IS = "Pass the subscription's signing_secret.";

function hasSpaceAround(text: string): boolean {
  return text.charCodeAt(0) <= 32 || text.charCodeAt(text.length - 1) <= 32;
}
