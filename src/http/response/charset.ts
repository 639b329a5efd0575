const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const UTF_8 = /^(?:utf-?8|us-ascii)$/i;

/** The character set that a `content-type` names; `undefined` for UTF-8, which JSON is in when nothing is said. */
export function charsetOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !contentType.includes(';')) return undefined;
  const label = CHARSET.exec(contentType)?.[1];
  return label === undefined || UTF_8.test(label) ? undefined : label;
}

/** A decoder for the body's character set. Throws a `RangeError` for one that the runtime does not know. */
export function textDecoderFor(contentType: string | undefined): InstanceType<typeof TextDecoder> {
  return new TextDecoder(charsetOf(contentType) ?? 'utf-8', { ignoreBOM: true });
}
