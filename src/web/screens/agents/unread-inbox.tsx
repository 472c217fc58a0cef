import { useOperation } from '../../data/cache.ts'
import type { Agent } from '../../entities/agent/descriptions.ts'
import { agoText } from '../../kit/dates.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { TaskReference } from './row.tsx'
import { Block } from './work.tsx'

const KINDS: Record<string, string> = {
  assigned: t('agents.assigned'),
  unassigned: t('agents.unassigned'),
  mentioned: t('agents.mentioned_it'),
  commented: t('inbox.commented'),
  replied: t('agents.replied_to_it'),
  reacted: t('agents.reacted'),
  decision_answered: t('inbox.decided'),
  escalated: t('agents.resolved_its_escalation'),
}

/** The unread notifications of an agent. */
export function UnreadInbox({ agent: { agent_id } }: { agent: Agent }) {
  const list = useOperation('inbox.list', { agent_id, unread: true, limit: 5 }, { pollMs: 30_000 })
  const { data } = list
  if (!data) return <LoadError of={list} what={t('agents.its_inbox')} />
  const { items, page } = data
  return (
    <Block title={t('common.inbox')} count={page.total ?? items.length}>
      {items.length ? (
        <ul className="waiting-list">
          {items.map(({ notification_id, kind, task, actor, created_at = '' }) => (
            <li key={notification_id}>
              {task && <TaskReference {...task} />}
              <span className="soft">
                {actor?.name} {KINDS[kind] ?? kind.replace('_', ' ')},{' '}
                {created_at && agoText(created_at).short}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">{t('agents.no_unread_notifications')}</p>
      )}
    </Block>
  )
}
