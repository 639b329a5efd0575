import { brand, OnlineOrderingError } from './base.js';

/** An option, or a combination of options, that cannot work. Thrown by constructors and factories; nothing was sent. */
export class ConfigurationError extends OnlineOrderingError {}
brand(ConfigurationError, 'ConfigurationError');
