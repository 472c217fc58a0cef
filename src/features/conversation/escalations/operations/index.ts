import { create, list, resolve } from './escalations.ts'

export const operations = [create, list, resolve] as const
