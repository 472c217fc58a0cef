import { createStore } from '../../kit/store.ts'

interface RunningImport {
  title: string
  /** From 0 to 100. */
  percent: number
  state: 'running' | 'paused' | 'failed' | 'finished'
}

/** The import of this tab, which goes on while somebody uses another screen. */
export const runningImport = createStore<RunningImport | undefined>(undefined)
