import type { Money } from '../../../contract/index.js';
import { type RequestProblem, RequestValidationError } from '../../../errors/local.js';
import type { FormerDigest } from '../journal/former-digest.js';
import type { Tender } from '../tender-body.js';
import { isTenderType, TENDER_TYPES } from './submission-order.js';

/** A tender with its amount in one form: whole cents, or what remains. */
export interface OfferedTender {
  readonly tender: Tender;
  readonly method: string;
  readonly amount: number | 'remaining';
  /** Currency of an amount given as `Money`. */
  readonly currency: string | undefined;
}

/** A tender with the digest by which the journal knows it. */
export interface DigestedTender extends OfferedTender, FormerDigest {}

/**
 * Checks tenders before anything is sent.
 *
 * @throws {RequestValidationError} With every problem found.
 */
export function checkTenders(tenders: readonly Tender[]): OfferedTender[] {
  const problems: RequestProblem[] = [];
  if (!Array.isArray(tenders) || tenders.length === 0) {
    problems.push({
      field: 'tenders',
      message:
        "at least one tender is needed, for example { payment_method: 'CREDIT_CARD', payment_token, amount: 'remaining' }",
    });
  } else {
    problems.push(...tenders.flatMap((tender, index) => problemsOf(tender, `tenders[${index}]`)));
    const remaining = tenders.filter((tender) => tender?.amount === 'remaining');
    if (remaining.length > 1) {
      problems.push({
        field: 'tenders',
        message: `${remaining.length} tenders have the amount 'remaining'; only one can take what remains`,
      });
    }
  }
  if (problems.length > 0) throw refusal(problems);
  return tenders.map(offered);
}

/** Checks one tender that takes the place of a declined one. */
export function checkTender(tender: Tender, field: string): OfferedTender {
  const problems = problemsOf(tender, field);
  if (problems.length > 0) throw refusal(problems);
  return offered(tender);
}

function offered(tender: Tender): OfferedTender {
  const { payment_method: method, amount } = tender;
  if (amount === 'remaining' || typeof amount === 'number') return { tender, method, amount, currency: undefined };
  return { tender, method, amount: amount.amount, currency: amount.currency };
}

function problemsOf(tender: unknown, field: string): RequestProblem[] {
  if (typeof tender !== 'object' || tender === null) {
    return [{ field, message: 'a tender is an object with payment_method and amount' }];
  }
  const { payment_method: method, amount } = tender as Partial<Tender>;
  const problems: RequestProblem[] = [];
  if (!isTenderType(method)) {
    problems.push({ field: `${field}.payment_method`, message: `it must be one of ${TENDER_TYPES.join(', ')}` });
  }
  const wrong = wrongAmount(amount);
  if (wrong !== undefined) problems.push({ field: `${field}.amount`, message: wrong });
  return problems;
}

function wrongAmount(amount: unknown): string | undefined {
  if (amount === 'remaining') return undefined;
  const cents = isMoney(amount) ? amount.amount : amount;
  if (typeof cents !== 'number' || Number.isNaN(cents)) {
    return "it must be whole cents (1250 is 12.50), Money, or 'remaining'";
  }
  if (!Number.isSafeInteger(cents)) return `it is ${cents}, and must be whole cents: 1250 is 12.50`;
  if (cents <= 0) return `it is ${cents}, and must be above 0 cents`;
  if (isMoney(amount) && !/^[A-Z]{3}$/.test(amount.currency)) {
    return 'its currency must be a code of three capital letters, for example USD';
  }
  return undefined;
}

function isMoney(amount: unknown): amount is Money {
  return typeof amount === 'object' && amount !== null && 'amount' in amount && 'currency' in amount;
}

function refusal(problems: readonly RequestProblem[]): RequestValidationError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more problems)` : '';
  return new RequestValidationError(`${first?.field}: ${first?.message}${more}. Nothing was sent.`, { problems });
}
