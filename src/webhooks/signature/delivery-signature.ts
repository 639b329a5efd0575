import { WebhookVerificationError } from '../../errors/webhook.js';
import type { Clock } from '../../platform/clock.js';
import { type DeliveryHeaders, readHeader } from './delivery-headers.js';
import type { SignatureScheme, SignatureTimestamp } from './signature-scheme.js';

/** What a delivery brought along to prove where it comes from. */
export interface DeliverySignature {
  /** Every signature of the header, as sent; during a rotation there may be one for each secret. */
  readonly candidates: readonly string[];
  readonly timestamp: string;
  readonly header: (name: string) => string | undefined;
}

/** Any sender may send any header; further signatures than these are ignored. */
const MOST_CANDIDATES = 8;

/** Finds the signature, and checks its time stamp where the scheme has one. */
export function readSignature(
  scheme: SignatureScheme,
  given: DeliveryHeaders | string,
  clock: Pick<Clock, 'now'>,
): DeliverySignature {
  // The caller read a header that was not sent: `request.headers.get(…)!`.
  if (given === null || given === undefined) throw noSignature(scheme);
  const header = typeof given === 'string' ? () => undefined : (name: string) => readHeader(given, name);
  const value = (typeof given === 'string' ? given : header(scheme.header))?.trim();
  if (!value) throw noSignature(scheme);
  const { timestamp: place } = scheme;
  if (!place) return { candidates: candidatesOf(value), timestamp: '', header };

  const parts = place.header === undefined ? namedParts(value) : undefined;
  const timestamp = parts ? parts.timestamp : header(place.header!)?.trim();
  checkTimestamp(timestamp, place, clock.now());
  return { candidates: parts?.signatures ?? candidatesOf(value), timestamp: timestamp!, header };
}

/** A header that was sent twice arrives with its values joined by commas. */
function candidatesOf(value: string): string[] {
  return value.includes(',') ? value.split(',', MOST_CANDIDATES) : [value];
}

/** Reads `t=1768487400,v1=5f0c…,v1=77ab…`. */
function namedParts(value: string): { timestamp: string | undefined; signatures: string[] } {
  let timestamp: string | undefined;
  const signatures: string[] = [];
  for (const part of value.split(',', MOST_CANDIDATES + 1)) {
    const equals = part.indexOf('=');
    const name = part.slice(0, equals).trim();
    const content = part.slice(equals + 1).trim();
    if (name === 't') timestamp ??= content;
    else if (name === 'v1') signatures.push(content);
  }
  return { timestamp, signatures };
}

function checkTimestamp(timestamp: string | undefined, place: SignatureTimestamp, nowMs: number): void {
  if (!timestamp || !/^\d{1,16}$/.test(timestamp)) {
    const where = place.header === undefined ? 'in its signature (t=…)' : `in the header ${place.header}`;
    throw new WebhookVerificationError('no_timestamp', `The webhook has no time stamp ${where}.`);
  }
  const ageSeconds = nowMs / 1000 - Number(timestamp) / (place.unit === 'seconds' ? 1 : 1000);
  if (Math.abs(ageSeconds) <= place.toleranceSeconds) return;
  const distance = `${Math.round(Math.abs(ageSeconds))} seconds ${ageSeconds > 0 ? 'old' : 'ahead'}`;
  throw new WebhookVerificationError(
    ageSeconds > 0 ? 'too_old' : 'too_new',
    `The webhook is ${distance}; at most ${place.toleranceSeconds} are accepted.`,
  );
}

function noSignature(scheme: SignatureScheme): WebhookVerificationError {
  return new WebhookVerificationError('no_signature', `The webhook has no signature in its header ${scheme.header}.`);
}
