import {
  notifyManager,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type Input, type Name, type Output, Refused } from './client.ts'
import { send } from './waiting.ts'
import { askWhole } from './whole.ts'

// What a key changed is shown before the next key is heard, which may be about the same thing.
notifyManager.setScheduler(queueMicrotask)

/** What may not be read any more, or is no more, is not shown any longer either. */
const forget = new QueryCache({
  onError(error, query) {
    if (error instanceof Refused && (error.status === 403 || error.status === 404))
      query.setState({ data: undefined })
  },
})

/** What was read stays fresh until the server says that it changed. */
export const cache = new QueryClient({
  queryCache: forget,
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60 * 1000,
      refetchOnWindowFocus: false,
      retry: (count, error) => !(error instanceof Refused) && count < 3,
    },
    mutations: { networkMode: 'always' },
  },
})

export const keyOf = <N extends Name>(name: N, input: Input<N>) => [name, input] as const

interface Asking {
  enabled?: boolean
  /** Shows the answer before until there is the next one. */
  keep?: boolean
  /** Asked again so often, in milliseconds: what nobody tells of. */
  every?: number
}

/** What an operation answers, kept until something of it changes. */
export const useAsk = <N extends Name>(
  name: N,
  input: Input<N>,
  { enabled = true, keep = false, every }: Asking = {},
) =>
  useQuery<unknown, Error, Output<N>>({
    queryKey: keyOf(name, input),
    queryFn: ({ signal }) => askWhole(name, input, signal),
    enabled,
    ...(every && { refetchInterval: every }),
    ...(keep && { placeholderData: (before: Output<N> | undefined) => before }),
  })

/** What will be asked for as soon as something is drawn. */
export const askAhead = <N extends Name>(name: N, input: Input<N>) =>
  cache.prefetchQuery({
    queryKey: keyOf(name, input),
    queryFn: ({ signal }) => askWhole(name, input, signal),
  })

interface Act<N extends Name> {
  /** Shows the change before the server has made it; answers how it is taken back. */
  ahead?(input: Input<N>): (() => void) | undefined
  done?(output: Output<N>, input: Input<N>): void
  failed?(error: Error, input: Input<N>): void
  /** Writes of one line are sent one after the other, in the order in which they were made. */
  line?: string
  /** The draft whose text is sent. */
  draft?: string
}

/** A write. It waits for a lost server; what was shown ahead is taken back where that refuses. */
export function useAct<N extends Name>(name: N, { ahead, done, failed, line, draft }: Act<N> = {}) {
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: (input: Input<N>) => send(name, input, { line, draft }),
    onMutate: (input) => ahead?.(input),
    onSuccess: (output, input) => done?.(output, input),
    onError: (error, input, back) => {
      back?.()
      failed?.(error, input)
    },
  })
  return { act: mutate, finish: mutateAsync, busy: isPending }
}

export const useCache = useQueryClient
