/** The entry point of the worker that reads the texts of attached files. */
import '../../kernel/compressed-modules.ts'
import { answerWith } from '../../kernel/pool/answer.ts'
import { lowerPriority } from '../../kernel/pool/worker-threads.ts'
import { readFile } from './read-file.ts'

declare const self: Worker

lowerPriority()

type Message = readonly [bytes: Uint8Array, filename: string]
const answer = answerWith(([bytes, filename]: Message) => readFile(bytes, filename))

self.onmessage = async ({ data }: MessageEvent) => self.postMessage(await answer(data))
