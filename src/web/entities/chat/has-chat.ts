import { useOperation } from '../../data/cache.ts'

/** Whether a model is configured. Without one, nothing of the chat is shown. */
export const useHasChat = () => useOperation('chat.status', {}).data?.configured === true
