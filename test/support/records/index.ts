/** The records of the tests: one set, as a service sends them that follows the interface document to the letter. */
export * from './carts.js';
export * from './ids.js';
export * from './orders.js';
export * from './responses.js';
export * from './stores.js';
export * from './values.js';
