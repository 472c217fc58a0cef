import { afterAll, afterEach, beforeEach } from 'bun:test'
import fc from 'fast-check'
import { watch } from './database.ts'
import { seed } from './extent.ts'

fc.configureGlobal({ seed })

// Databases are closed and removed with the test that they were made for.
beforeEach(watch.begin)
afterEach(watch.end)
afterAll(watch.close)
