/** Copies a text to the clipboard. Without a clipboard (no https) it shows the text in a dialog instead. */
import { type ReactNode, useState } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';

export const CopyButton = ({
  what,
  text,
  children,
}: {
  /** What is copied, as a noun: `curl line`. */
  readonly what: string;
  readonly text: () => string;
  readonly children: ReactNode;
}) => {
  const [copied, setCopied] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const content = text();
    try {
      await navigator.clipboard.writeText(content);
      setCopied(true);
    } catch {
      setShown(content);
    }
  };
  return (
    <>
      <Button isQuiet onPress={() => void copy()}>
        {children}
      </Button>
      <span role="status" className={copied ? 'help' : 'hidden'}>
        {copied ? `The ${what} is copied.` : ''}
      </span>
      {shown !== null && (
        <Dialog title={`Copy the ${what}`} onClose={() => setShown(null)}>
          <code className="secret">{shown}</code>
        </Dialog>
      )}
    </>
  );
};
