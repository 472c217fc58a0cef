import { get, test, update } from './mail.ts'

export const operations = [get, update, test] as const
