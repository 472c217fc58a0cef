interface Port {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

/** Functions that another thread calls by name, each with one input. */
export type Functions = Readonly<Record<string, (input: never) => unknown>>

type Remote<F extends Functions> = <N extends keyof F & string>(
  name: N,
  input: Parameters<F[N]>[0],
) => Promise<Awaited<ReturnType<F[N]>>>

interface Message {
  id: number
  /** The name of the function, in a call. */
  call?: string
  input?: unknown
  output?: unknown
  error?: { message: string }
}

/** Lets two threads call functions of each other. An error keeps its message and its properties. */
export function connect<F extends Functions>(port: Port, functions: Functions): Remote<F> {
  const calls = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  const answer = async ({ id, call, input }: Message) => {
    try {
      port.postMessage({ id, output: await functions[call!]!(input as never) })
    } catch (error) {
      const { message } = error as Error
      port.postMessage({ id, error: { ...(error as Error), message } })
    }
  }
  port.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.call !== undefined) return void answer(data)
    const call = calls.get(data.id)
    calls.delete(data.id)
    if (!data.error) call?.resolve(data.output)
    else call?.reject(Object.assign(new Error(data.error.message), data.error))
  })
  return ((name, input) => {
    const call = Promise.withResolvers<unknown>()
    calls.set(++lastId, call)
    port.postMessage({ id: lastId, call: name, input })
    return call.promise
  }) as Remote<F>
}
