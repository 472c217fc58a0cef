import { list as deliveries, replay, test } from './deliveries.ts'
import { create, list, remove, rotate, update } from './webhooks.ts'

export const operations = [list, create, update, test, deliveries, replay, rotate, remove] as const
