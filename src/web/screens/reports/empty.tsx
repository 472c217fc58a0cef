import { Link } from 'wouter'
import { t } from '../../messages/t.ts'

export const NoBoard = ({ text }: { text: string }) => (
  <div className="empty">
    <span className="pin" aria-hidden="true" />
    <h2>{t('reports.no_boards_yet')}</h2>
    <p className="soft">{text}</p>
    <Link className="button plain" href="/new">
      {t('common.create_board')}
    </Link>
  </div>
)
