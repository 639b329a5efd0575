import { BodyText } from './body-text.js';
import { type BodySink, type DecodedSink, DecodingError, decoded } from './decode-content.js';

/** What is known of a body before it arrives. */
export interface BodyFacts {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** Of the decoded body. */
  readonly maxBytes: number;
}

/** Who reads a body. Exactly one of the two is called, `onText` not before `end`. */
export interface BodyListener {
  onText(text: string): void;
  /** The rest of the body is not needed. */
  onUnreadable(error: unknown): void;
}

/**
 * Decodes a body, and makes it text, while it arrives.
 *
 * @throws {DecodingError} The content coding is not known.
 * @throws {RangeError} The character set is not known.
 */
export function bodyReader({ contentType, contentEncoding, maxBytes }: BodyFacts, listener: BodyListener): BodySink {
  const text = new BodyText(contentType);
  const sink: DecodedSink = {
    write(chunk) {
      try {
        text.add(chunk);
      } catch {
        // Strings have a limit, too.
        way.stop();
        listener.onUnreadable(new DecodingError('too_large', 'The body is larger than a text can be.'));
      }
    },
    end: () => listener.onText(text.end()),
    stop() {},
    fail: (error) => listener.onUnreadable(error),
  };
  const way = contentEncoding === undefined ? sink : decoded(contentEncoding, maxBytes, sink);
  return way;
}
