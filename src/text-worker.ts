/** Runs in a worker of the server: slow work on texts, one task at a time. */
import { answering } from './content/pool/answer.ts'
import { textTasks } from './content/tasks.ts'
import { diffTasks } from './features/pages/differ.ts'
import { lowerPriority } from './kernel/threads.ts'

declare const self: Worker

lowerPriority()

const answer = answering({ ...textTasks, ...diffTasks })

self.onmessage = async ({ data }: MessageEvent) => self.postMessage(await answer(data))
