import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.js';

const config = mergeConfig(base, defineConfig({}));

/** The row tests of the payment protocol alone: rules without clock, network or store, so that a mutant costs little. */
export default {
  ...config,
  test: {
    ...config.test,
    projects: undefined,
    include: ['test/unit/resources/payments/*.test.ts', 'test/unit/resources/payments/settle/*.test.ts'],
    globalSetup: [],
  },
};
