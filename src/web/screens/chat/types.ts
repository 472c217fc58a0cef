import type { Output } from '../../data/client.ts'

export type Thread = Output<'chat.thread'>

export type Message = Thread['messages'][number]

export type Part = Message['parts'][number]

export type Call = Extract<Part, { type: 'call' }>

export type Trouble = NonNullable<Message['trouble']>
