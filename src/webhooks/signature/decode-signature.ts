/** Bytes of an HMAC-SHA256. */
const LENGTH = 32;

/**
 * The 32 bytes of a signature written as hex (either case), base64 or base64url; `undefined` for anything else.
 * They are written into `bytes` where that is given.
 *
 * The length distinguishes the encodings: 64 characters are hex, 43 (44 with padding) are base64.
 */
export function decodeSignature(
  text: string,
  encoding: 'auto' | 'hex' | 'base64',
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(LENGTH),
): Uint8Array<ArrayBuffer> | undefined {
  const trimmed = text.trim();
  const value = trimmed[6] === '=' ? trimmed.replace(/^sha256=/i, '') : trimmed;
  if (encoding !== 'base64' && value.length === LENGTH * 2) {
    let seen = 0;
    for (let index = 0; index < LENGTH; index += 1) {
      const byte = (hexDigit(value.charCodeAt(index * 2)) << 4) | hexDigit(value.charCodeAt(index * 2 + 1));
      seen |= byte;
      bytes[index] = byte;
    }
    // A character that is no digit leaves a bit beyond the byte.
    return seen >> 8 ? undefined : bytes;
  }
  if (encoding !== 'hex' && /^[\w+/-]{43}=?$/.test(value)) {
    const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
    for (let index = 0; index < LENGTH; index += 1) bytes[index] = binary.charCodeAt(index);
    return bytes;
  }
  return undefined;
}

/** The value of each character that is a hex digit, -1 for all others. */
const HEX = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  const text = digit.toString(16);
  HEX[text.charCodeAt(0)] = HEX[text.toUpperCase().charCodeAt(0)] = digit;
}

function hexDigit(code: number): number {
  return code < 128 ? HEX[code]! : -1;
}
