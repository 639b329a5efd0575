/** Bytes of an HMAC-SHA256. */
const LENGTH = 32;

const HEX = table('0123456789abcdef', 'ABCDEF', 10);
const BASE64 = table('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_', 62);

/**
 * The 32 bytes of a signature written as hex (either case), base64 or base64url; `undefined` for anything else.
 * They are written into `bytes` where that is given.
 *
 * The length tells the encodings apart: 64 characters are hex, 43 (44 with padding) are base64.
 */
export function decodeSignature(
  text: string,
  encoding: 'auto' | 'hex' | 'base64',
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(LENGTH),
): Uint8Array<ArrayBuffer> | undefined {
  const value = withoutPrefix(text.trim());
  if (value.length === 64 && encoding !== 'base64') return decodeHex(value, bytes) ? bytes : undefined;
  if (encoding === 'hex') return undefined;
  if (value.length === 43 || (value.length === 44 && value.endsWith('=')))
    return decodeBase64(value, bytes) ? bytes : undefined;
  return undefined;
}

function withoutPrefix(text: string): string {
  return text.charCodeAt(6) === 61 && text.slice(0, 7).toLowerCase() === 'sha256=' ? text.slice(7) : text;
}

function decodeHex(text: string, bytes: Uint8Array): boolean {
  let wrong = 0;
  for (let index = 0; index < LENGTH; index += 1) {
    const byte = (digit(HEX, text, index * 2) << 4) | digit(HEX, text, index * 2 + 1);
    wrong |= byte;
    bytes[index] = byte;
  }
  return wrong >= 0;
}

function decodeBase64(text: string, bytes: Uint8Array): boolean {
  let wrong = 0;
  let bits = 0;
  let written = 0;
  for (let index = 0; index < 43; index += 1) {
    const value = digit(BASE64, text, index);
    wrong |= value;
    bits = ((bits << 6) | (value & 63)) & 0xffff;
    // The n-th character completes a byte, except every fourth one, which begins a new group.
    if (index % 4 !== 0) {
      bytes[written] = (bits >> ((3 - (index % 4)) * 2)) & 0xff;
      written += 1;
    }
  }
  return wrong >= 0;
}

/** The value of the character, negative when it is none of the alphabet. */
function digit(values: Int8Array, text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 128 ? values[code]! : -1;
}

function table(alphabet: string, alternatives: string, firstAlternative: number): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (let index = 0; index < alphabet.length; index += 1) values[alphabet.charCodeAt(index)] = index;
  for (let index = 0; index < alternatives.length; index += 1) {
    values[alternatives.charCodeAt(index)] = firstAlternative + index;
  }
  return values;
}
