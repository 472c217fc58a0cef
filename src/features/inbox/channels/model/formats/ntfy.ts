import { cut, type Format, type FormatParts } from './format.ts'

/** ntfy shows at most three buttons, and stores longer messages as files. */
const MAX_ACTIONS = 3
const MAX_MESSAGE = 1000
const MAX_TITLE = 250

const PRIORITY = { urgent: 5, high: 4, default: 3 } as const

/** ntfy shows these short codes as emoji. */
const TAGS: Record<string, string> = {
  escalated: 'rotating_light',
  decision_requested: 'question',
  overdue: 'alarm_clock',
  due_soon: 'alarm_clock',
  run_finished: 'checkered_flag',
  run_waiting: 'hourglass',
}

function priorityOf({ kind, important }: FormatParts['message']): number {
  if (kind === 'escalated') return PRIORITY.urgent
  return important ? PRIORITY.high : PRIORITY.default
}

/** Publishes as JSON, which is sent to the root of the server. */
export const ntfy: Format = ({ config, message }) => {
  const { title, body, url, kind } = message
  const tag = TAGS[kind]
  const actions = message.actions.slice(0, MAX_ACTIONS).map(({ label, url, post }) =>
    post
      ? {
          ...{ action: 'http', label, url, method: 'POST' },
          ...{ headers: { accept: 'application/json' }, clear: true },
        }
      : { action: 'view', label, url },
  )
  const request = {
    topic: config.topic,
    title: cut(title, MAX_TITLE),
    message: cut(body || title, MAX_MESSAGE),
    priority: priorityOf(message),
    click: url,
    ...(tag && { tags: [tag] }),
    ...(actions.length && { actions }),
  }
  return {
    url: config.url,
    ...(config.token && { headers: { authorization: `Bearer ${config.token}` } }),
    body: JSON.stringify(request),
  }
}
