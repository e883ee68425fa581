// Uses the user's system fonts, so that none is downloaded.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
