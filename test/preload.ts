import { afterAll, afterEach, beforeEach } from 'bun:test'
import fc from 'fast-check'
import { cleanupHooks } from './support/database.ts'
import { seed } from './support/scale.ts'

fc.configureGlobal({ seed })

// Databases are closed and removed at the end of the test that opened them.
beforeEach(cleanupHooks.startTest)
afterEach(cleanupHooks.endTest)
afterAll(cleanupHooks.endFile)
