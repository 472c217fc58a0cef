import { ack, list } from './messages.ts'

export const operations = [list, ack] as const
