/** Bytes of an HMAC-SHA256. */
const LENGTH = 32;

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
  if (encoding !== 'base64' && /^[\da-f]{64}$/i.test(value)) {
    for (let index = 0; index < LENGTH; index += 1) {
      bytes[index] = (hexDigit(value.charCodeAt(index * 2)) << 4) | hexDigit(value.charCodeAt(index * 2 + 1));
    }
    return bytes;
  }
  if (encoding !== 'hex' && /^[\w+/-]{43}=?$/.test(value)) {
    const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
    for (let index = 0; index < LENGTH; index += 1) bytes[index] = binary.charCodeAt(index);
    return bytes;
  }
  return undefined;
}

function withoutPrefix(text: string): string {
  return text.charCodeAt(6) === 61 && text.slice(0, 7).toLowerCase() === 'sha256=' ? text.slice(7) : text;
}

/** Of a character that is known to be a hex digit. */
function hexDigit(code: number): number {
  return code < 58 ? code - 48 : (code | 32) - 87;
}
