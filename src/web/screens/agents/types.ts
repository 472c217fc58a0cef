import type { Output } from '../../data/client.ts'

export type Hook = Output<'webhooks.get'>

export type FullRun = Output<'runs.get'>
