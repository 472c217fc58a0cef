import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import { originState } from '../../entities/page/origin.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'

/** The pages and tasks that link to this page. */
export function Backlinks({ page_id }: { page_id: number }) {
  const { data: links = [] } = useOperation('pages.backlinks', { page_id }, { isVolatile: true })
  if (!links.length) return null
  return (
    <section className="backlinks" aria-label={t('pages.linked_from')}>
      <h2>{t('pages.linked_from')}</h2>
      <ul>
        {links.map(({ kind, page_id: id, ticket_number, title }) => (
          <li key={id ?? ticket_number}>
            <Link
              href={kind === 'page' ? `/p/${id}` : `/t/${ticket_number}`}
              className="page-line"
              {...(kind === 'page' && { state: originState() })}
            >
              <Icon name={kind === 'page' ? 'page' : 'board'} />
              <span className="name truncate" dir="auto">
                {kind === 'task' && <span className="key">{ticket_number} </span>}
                {title}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
