import { afterAll, afterEach, beforeEach, mock } from 'bun:test'
import fc from 'fast-check'
import { formatMessage } from '../scripts/messages.ts'
import { cleanupHooks } from './support/database.ts'
import { seed } from './support/scale.ts'

// Only the build compiles the messages of the app.
mock.module('../src/web/messages/t.ts', () => ({ t: formatMessage }))
fc.configureGlobal({ seed })

// Databases are closed and removed at the end of the test that opened them.
beforeEach(cleanupHooks.startTest)
afterEach(cleanupHooks.endTest)
afterAll(cleanupHooks.endFile)
