import { connect } from './threads.ts'
import type { PageFunctions, WorkerFunctions } from './worker-types.ts'

/** The types of the browser lack it, and some browsers do. */
interface TrustedTypes {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(address: string): string },
    ): { createScriptURL(address: string): string }
  }
}

/** The build writes the address of the worker into the page. */
const { content } = document.querySelector<HTMLMetaElement>('meta[name=import-worker]')!
const policy = (globalThis as TrustedTypes).trustedTypes?.createPolicy('import-worker', {
  // The only script that the policy permits.
  createScriptURL: () => content,
})

/** Starts a worker that reads files. A call fails if the worker could not be loaded. */
export function startWorker(functions: PageFunctions) {
  const worker = new Worker(policy?.createScriptURL(content) ?? content, { type: 'module' })
  const failed = Promise.withResolvers<never>()
  // A failure that no call waits for is not unhandled.
  failed.promise.catch(() => {})
  worker.onerror = ({ message }) => failed.reject(new Error(message))
  const remote = connect<WorkerFunctions>(worker, functions)
  const call = ((name, input) =>
    Promise.race([remote(name, input), failed.promise])) as typeof remote
  return { call, end: () => worker.terminate() }
}
