import { afterAll, afterEach, beforeEach } from 'bun:test'
import { watch } from './database.ts'

// Databases are closed and removed with the test that they were made for.
beforeEach(watch.begin)
afterEach(watch.end)
afterAll(watch.close)
