import { configure } from './configure.ts'
import { replay, test } from './test-delivery.ts'
import { get, list, remove, rotate } from './webhooks.ts'

export const operations = [get, configure, test, replay, rotate, remove, list] as const
