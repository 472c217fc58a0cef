import { useState } from 'react'
import { t } from '../../../messages/t.ts'
import { SettingRow } from '../parts.tsx'

interface InstallPrompt {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const promptOf = () => (globalThis as { installPrompt?: InstallPrompt }).installPrompt

/** Installs the app, in browsers that offer it. Elsewhere there is nothing to show. */
export function InstallApp() {
  const [isInstalled, setInstalled] = useState(false)
  const prompt = promptOf()
  if (!prompt || isInstalled) return null
  const install = async () => {
    const { outcome } = await prompt.prompt()
    setInstalled(outcome === 'accepted')
  }
  return (
    <SettingRow label={t('settings.app')} hint={t('settings.opens_in_a_window_of_its_own')}>
      <button type="button" className="button plain" onClick={() => void install()}>
        {t('settings.install_app')}
      </button>
    </SettingRow>
  )
}
