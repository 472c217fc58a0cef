import {
  hashKey,
  notifyManager,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError } from '../kit/errors.ts'
import { callWithAllPages } from './all-pages.ts'
import type { Input, OperationName, Output } from './client.ts'
import { isLineBusy, sendWrite } from './write-queue.ts'

// A microtask renders the result of a key press before the next key, which may act on the same row.
notifyManager.setScheduler(queueMicrotask)

/** A 403 or 404 also removes what the query returned earlier: the caller may no longer see it. */
const queryCache = new QueryCache({
  onError(error, query) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404))
      query.setState({ data: undefined })
  },
})

/** Data stays fresh until an event from the server marks it as stale. */
export const cache = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60 * 1000,
      refetchOnWindowFocus: false,
      retry: (count, error) => !(error instanceof ApiError) && count < 3,
      // A component re-renders only when a property changes that it has read. A child that is loaded
      // on demand reads the error too late. With this option, a new error always re-renders.
      throwOnError: () => false,
    },
    mutations: { networkMode: 'always' },
  },
})

export const queryKeyOf = <N extends OperationName>(name: N, input: Input<N>) =>
  [name, input] as const

interface QueryOptions {
  enabled?: boolean
  /** Shows the previous data until the next data arrives. */
  keepPrevious?: boolean
  /** The result may become stale without an event, so it is loaded whenever it is shown again. */
  isVolatile?: boolean
  /** Polls every so many milliseconds. For data whose changes emit no event. */
  pollMs?: number
}

/** The result of an operation, cached until a change makes it stale. */
export const useOperation = <N extends OperationName>(
  name: N,
  input: Input<N>,
  { enabled = true, keepPrevious = false, isVolatile = false, pollMs }: QueryOptions = {},
) =>
  useQuery<unknown, Error, Output<N>>({
    queryKey: queryKeyOf(name, input),
    queryFn: async ({ signal }) => {
      await nextTask()
      await responsesTo(queryKeyOf(name, input))
      return callWithAllPages(name, input, signal)
    },
    enabled,
    ...(isVolatile && { staleTime: 0 }),
    ...(pollMs && { refetchInterval: pollMs }),
    ...(keepPrevious && { placeholderData: (before: Output<N> | undefined) => before }),
  })

/** A screen starts a dozen requests at once. Between them, keys and clicks are handled. */
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))

/** Loads the result of an operation into the cache before a component needs it. */
export const prefetchOperation = <N extends OperationName>(name: N, input: Input<N>) =>
  cache.prefetchQuery({
    queryKey: queryKeyOf(name, input),
    queryFn: ({ signal }) => callWithAllPages(name, input, signal),
  })

/** A write without a response yet, and the keys of the cached queries that it has changed. */
interface PendingWrite {
  keys: Set<string>
  response: PromiseWithResolvers<void>
}
const pendingWrites = new Set<PendingWrite>()
/** The write that is changing cached queries right now. */
let changing: PendingWrite | undefined

/** A query that is sent before the response to such a write may return what was before it. */
const responsesTo = (key: readonly unknown[]) =>
  Promise.all(
    [...pendingWrites]
      .filter(({ keys }) => keys.has(hashKey(key)))
      .map(({ response }) => response.promise),
  )

/** Makes an optimistic change. Returns functions that undo it, and that end the write. */
function beginWrite(change: () => (() => void) | undefined) {
  const write: PendingWrite = { keys: new Set(), response: Promise.withResolvers() }
  pendingWrites.add(write)
  changing = write
  const undo = change()
  changing = undefined
  const end = () => {
    pendingWrites.delete(write)
    write.response.resolve()
  }
  return { undo, end }
}

/**
 * Shows a change, sends its write, and undoes the change if the server refuses it. The changed
 * queries are not loaded again before the response.
 */
export async function writeOptimistically<T>(
  change: () => (() => void) | undefined,
  send: () => Promise<T>,
): Promise<T> {
  const { undo, end } = beginWrite(change)
  try {
    return await send()
  } catch (error) {
    undo?.()
    throw error
  } finally {
    end()
  }
}

/** Changes a cached query and returns a function that reverts it. */
export function patchQuery<N extends OperationName>(
  name: N,
  input: Input<N>,
  change: (current: Output<N>) => Output<N>,
): () => void {
  const key = queryKeyOf(name, input)
  const before = cache.getQueryData<Output<N>>(key)
  changing?.keys.add(hashKey(key))
  if (before !== undefined) {
    // A response from before the change would overwrite it.
    void cache.cancelQueries({ queryKey: key })
    cache.setQueryData<Output<N>>(key, change(before))
  }
  return () => {
    // Reverts immediately, because the server may not be reachable.
    if (before !== undefined) cache.setQueryData<Output<N>>(key, before)
    void cache.invalidateQueries({ queryKey: key })
  }
}

interface WriteOptions<N extends OperationName> {
  /** Shows the change before the server confirms it; returns a function that undoes it. */
  optimistic?(input: Input<N>): (() => void) | undefined
  onDone?(output: Output<N>, input: Input<N>): void
  onFailed?(error: Error, input: Input<N>): void
  /** Writes with the same line are sent one after the other, in the order of the calls. */
  line?: string
  /**
   * Called for the last write of a line only: the output of an earlier one lacks what the later
   * ones change.
   */
  onLast?(output: Output<N>, input: Input<N>): void
  /** The draft that holds the text of this write. */
  draft?: string
}

/**
 * A write. It is queued while the server is unreachable. If the server refuses it, the optimistic
 * change is undone.
 */
export function useOperationMutation<N extends OperationName>(
  name: N,
  { optimistic, onDone, onFailed, line, onLast, draft }: WriteOptions<N> = {},
) {
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: (input: Input<N>) => sendWrite(name, input, { line, draft }),
    onMutate: (input) => beginWrite(() => optimistic?.(input)),
    onSuccess: (output, input, write) => {
      write.end()
      onDone?.(output, input)
      if (line && !isLineBusy(line)) onLast?.(output, input)
    },
    onError: (error, input, write) => {
      write?.end()
      write?.undo?.()
      onFailed?.(error, input)
    },
  })
  return { mutate, mutateAsync, busy: isPending }
}

export const useCache = useQueryClient
