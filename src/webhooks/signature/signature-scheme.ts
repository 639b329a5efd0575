/** What a scheme may build the signed content from. */
export interface SignatureInput {
  /** The body as it was sent. */
  readonly body: string | Uint8Array;
  /** The time stamp as it was sent; empty in a scheme without one. */
  readonly timestamp: string;
  /** Reads another header of the delivery. Undefined when only the signature's value was given. */
  header(name: string): string | undefined;
}

/** Where the time stamp of a delivery stands, and how far from now it may be. */
export interface SignatureTimestamp {
  /** The header that holds it. Left out: it stands in the signature's own header, as in `t=1768487400,v1=5f0c…`. */
  readonly header?: string;
  /** Unit of the number. */
  readonly unit: 'seconds' | 'milliseconds';
  /** How much older or newer than now a delivery may be, in seconds. */
  readonly toleranceSeconds: number;
}

/**
 * How deliveries are signed. Always HMAC-SHA256; everything around it is a value, because the interface document does
 * not show what exactly is signed (gap SIG-1).
 */
export interface SignatureScheme {
  /** Name of the header that holds the signature, in any case. */
  readonly header: string;
  /** `auto` takes hex in either case, base64 and base64url; a prefix `sha256=` may always stand before it. */
  readonly encoding: 'auto' | 'hex' | 'base64';
  /** `body`, or the pieces that are signed one after the other. */
  readonly signedContent: 'body' | ((parts: SignatureInput) => readonly (string | Uint8Array)[]);
  /** Left out: deliveries carry no time stamp (gap SIG-2). */
  readonly timestamp?: SignatureTimestamp;
}

/**
 * The service's own scheme, and the default: `X-Service-Signature` holds the HMAC-SHA256 of the raw body.
 *
 * @see Interface document, "Events", rule 1; gap SIG-1
 */
export const serviceSignature: SignatureScheme = {
  header: 'X-Service-Signature',
  encoding: 'auto',
  signedContent: 'body',
};

/** How a time-stamped scheme differs from the usual one. */
export interface TimestampedSignatureOptions {
  /** Header of the signature. @defaultValue 'X-Service-Signature' */
  header?: string | undefined;
  /** Header of the time stamp. Left out: both stand in the signature's header, as in `t=1768487400,v1=5f0c…`. */
  timestampHeader?: string | undefined;
  /** Unit of the time stamp. @defaultValue 'seconds' */
  unit?: 'seconds' | 'milliseconds' | undefined;
  /** How far a delivery may be from now, in both directions, in seconds. @defaultValue 300 */
  toleranceSeconds?: number | undefined;
}

/**
 * A scheme with a time stamp, which keeps others from sending an old delivery again: the signature covers
 * `<time stamp>.<body>` (gap SIG-2).
 */
export function timestampedSignature(options: TimestampedSignatureOptions = {}): SignatureScheme {
  const { header = serviceSignature.header, timestampHeader, unit = 'seconds', toleranceSeconds = 300 } = options;
  return {
    header,
    encoding: 'auto',
    signedContent: ({ timestamp, body }) => [timestamp, '.', body],
    timestamp: { header: timestampHeader, unit, toleranceSeconds },
  };
}
