/** Thrown where a row cannot be tried; the message says why. Known by its name, since the suite is a bundle of its own. */
export class CannotTry extends Error {
  override readonly name = 'CannotTry';
}

/** Thrown where the service does something else than a row says. */
export class Differs extends Error {
  override readonly name = 'Differs';
}

export const isCannotTry = (error: unknown): error is CannotTry => error instanceof Error && error.name === 'CannotTry';
export const isDiffers = (error: unknown): error is Differs => error instanceof Error && error.name === 'Differs';
