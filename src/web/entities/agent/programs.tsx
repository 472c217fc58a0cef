import { Tabs } from '@base-ui/react/tabs'
import { t } from '../../messages/t.ts'
import { CLIENTS } from './clients.ts'
import './connect.css'
import { Copy } from '../../kit/copy.tsx'

interface Props {
  url: string
  token: string
  /** Called when a text with the token was copied. */
  onCopied(): void
}

/** The setup texts for common programs, in tabs. */
export const Programs = ({ url, token, onCopied }: Props) => (
  <Tabs.Root defaultValue={CLIENTS[0]!.name}>
    <Tabs.List className="tabs" aria-label={t('agent.programs')} activateOnFocus>
      {CLIENTS.map(({ name }) => (
        <Tabs.Tab key={name} value={name}>
          {name}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {CLIENTS.map(({ name, instruction, file, text }) => (
      <Tabs.Panel key={name} value={name} className="program" tabIndex={-1}>
        <p>
          {instruction} {file && <code>{file}</code>}
        </p>
        <Copy
          label={t('agent.configuration_for_name', { name })}
          text={text({ url, token })}
          onCopied={onCopied}
        />
      </Tabs.Panel>
    ))}
  </Tabs.Root>
)
