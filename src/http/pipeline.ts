import type { Clock } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import type { Observer } from './events/observer.js';
import { pipeline, type Send, type Step } from './exchange/message.js';
import type { Cooldowns } from './steps/cooldown.js';
import { type KeyMemory, withIdempotencyKey, withKeyMemory } from './steps/idempotency-key.js';
import { withObservation } from './steps/observe.js';
import { withRetry } from './steps/retry.js';
import type { RetryBudget } from './steps/retry-budget.js';

/** What the steps of every attempt share. */
export interface AttemptSteps {
  readonly budget: RetryBudget;
  readonly cooldowns: Cooldowns;
  readonly observer: Observer;
  readonly clock: Clock;
  readonly random: Random;
  readonly requestIdHeader: string;
  readonly transport: Send;
}

export interface CallSteps extends AttemptSteps {
  readonly keys: KeyMemory;
  /** Adds the token; it stands in `auth/`, which knows of tokens. */
  readonly bearerToken: Step;
}

/** The request pipeline: what a request passes between a method of the client and the transport, first to last. */
export function callPipeline({ keys, bearerToken, ...attempt }: CallSteps): Send {
  return pipeline(
    [
      withKeyMemory(keys), // first: a key of another request costs no token
      bearerToken, // outside retry: the token endpoint has its own attempts
      withIdempotencyKey, // outside retry: whatever is sent again carries the same key
      ...attemptSteps(attempt),
    ],
    attempt.transport,
  );
}

/** The pipeline of the token endpoint: it has neither key nor token. */
export function tokenPipeline(attempt: AttemptSteps): Send {
  return pipeline(attemptSteps(attempt), attempt.transport);
}

function attemptSteps({ budget, cooldowns, observer, clock, random, requestIdHeader }: AttemptSteps): Step[] {
  return [
    withRetry({ clock, random, budget, cooldowns, observer }), // each attempt waits for its scope
    withObservation(observer, clock, requestIdHeader), // innermost: what is counted and emitted was sent
  ];
}
