import { answer, cancel, create, get, list } from './decision-requests.ts'

export const operations = [create, list, get, answer, cancel] as const
