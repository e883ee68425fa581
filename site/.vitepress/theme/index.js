// The fonts are the reader's own: nothing is downloaded for them.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
