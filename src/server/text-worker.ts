/** The worker for slow work on texts. It handles the tasks of one turn at a time. */
import '../kernel/compressed-modules.ts'
import { textTasks } from '../content/tasks.ts'
import { diffTasks } from '../features/pages/pages/model/differ.ts'
import { answerWith } from '../kernel/pool/answer.ts'
import { lowerPriority } from '../kernel/pool/worker-threads.ts'

declare const self: Worker

lowerPriority()

const tasks: Record<string, (...args: never[]) => unknown> = { ...textTasks, ...diffTasks }

type Message = readonly [name: string, ...args: (string | undefined)[]]
const answer = answerWith(([name, ...args]: Message) => tasks[name]!(...(args as never[])))

self.onmessage = async ({ data }: MessageEvent) => self.postMessage(await answer(data))
