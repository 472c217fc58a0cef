/** The worker for slow work on texts. It handles one task at a time. */
import { requestHandler } from '../content/pool/answer.ts'
import { textTasks } from '../content/tasks.ts'
import { diffTasks } from '../features/pages/pages/model/differ.ts'
import { lowerPriority } from '../kernel/worker-threads.ts'

declare const self: Worker

lowerPriority()

const answer = requestHandler({ ...textTasks, ...diffTasks })

self.onmessage = async ({ data }: MessageEvent) => self.postMessage(await answer(data))
