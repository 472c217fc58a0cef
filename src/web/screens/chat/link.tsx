import { Link } from 'wouter'
import { closeChat } from '../../entities/chat/chat-request.ts'
import { isBelowBase, withoutBase } from '../../kit/base-path.ts'
import { t } from '../../messages/t.ts'
import { isFullScreen } from './full-screen.ts'

interface Props {
  address: string
  linkText?: string
  isPicture?: boolean
}

const INTERNAL_PATH = /^\/(t|p|projects|runs|reports|agents)\/[\w-]+$/

/**
 * A link written by a model. It shows its host, because its text may be misleading, and nothing is
 * requested from there before a click.
 */
export function ModelLink({ address, linkText = '', isPicture = false }: Props) {
  const url = URL.canParse(address, location.origin) ? new URL(address, location.origin) : undefined
  const name = linkText || address
  const path = url && isBelowBase(url) ? withoutBase(url.pathname) : address
  if (INTERNAL_PATH.test(path) && !isPicture)
    return (
      <Link href={path} onClick={() => isFullScreen() && closeChat()}>
        {name}
      </Link>
    )
  if (!url || !/^(https?|mailto):$/.test(url.protocol) || !/^[a-z]+:/i.test(address))
    return name === address ? name : `${name} (${address})`
  const showsAddress = name === address || name === address.replace(/^mailto:/, '')
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer">
      {isPicture
        ? linkText
          ? t('chat.image', { name: linkText })
          : t('chat.untitled_image')
        : name}
      {(!showsAddress || isPicture) && (
        <span className="host"> ({isPicture ? address : hostOf(url)})</span>
      )}
    </a>
  )
}

const hostOf = ({ protocol, host, pathname }: URL) => (protocol === 'mailto:' ? pathname : host)
