import { parsePageId, usePage } from '../../entities/page/data.ts'
import { kindOf } from '../../entities/page/tree.tsx'
import { Avatar } from '../../entities/user/avatar.tsx'
import type { Me } from '../../entities/user/me.ts'
import { agoText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { FirstLines, Pending } from './parts.tsx'

export function PagePreview({ me, page_id }: { me: Me; page_id: string }) {
  const { data: page, error } = usePage(parsePageId(page_id))
  if (!page) return <Pending error={error} />
  const { ticket_number, project_id, title, updated_by, updated_at, canvas, content } = page
  const board = me.boards.find((one) => one.project_id === project_id)?.title
  const [icon, kind] = kindOf(page)
  return (
    <>
      <p className="preview-head soft">
        <Icon name={icon} label={kind} />
        <span className="truncate">{[board, ticket_number].filter(Boolean).join(' · ')}</span>
      </p>
      <p className="preview-title" dir="auto">
        {title}
      </p>
      {!canvas && <FirstLines html={content} />}
      <p className="preview-facts">
        <span className="flex-row">
          <span aria-hidden="true">
            <Avatar actor={updated_by} />
          </span>
          {t('preview.updated_by', { name: updated_by.name, when: agoText(updated_at).short })}
        </span>
      </p>
    </>
  )
}
