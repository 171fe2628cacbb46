/**
 * The countries of a generated world: their share of competitors, cities for contests, and names. `local` gives
 * a romanised name in its own script.
 */

interface Names {
  readonly given: readonly string[];
  readonly family: readonly string[];
  /** In the order of `given` and `family`; the full name is written family first. */
  readonly localGiven?: readonly string[];
  readonly localFamily?: readonly string[];
}

export interface WorldCountry {
  readonly code: string;
  readonly weight: number;
  readonly cities: readonly string[];
  readonly names: Names;
}

const words = (text: string): readonly string[] => text.split(' ');

const ENGLISH: Names = {
  given: words(
    'Aaron Abigail Adam Alex Amelia Andrew Ben Caleb Chloe Connor Daniel David Dylan Elena Eli Emily Emma Ethan Evan Grace Hannah Henry Isaac Jack Jacob James Jason John Jonah Joshua Justin Kate Kevin Kyle Leah Liam Lily Logan Lucas Luke Mark Mason Max Michael Nathan Nicholas Noah Oliver Oscar Owen Patrick Peter Phoebe Rachel Riley Robert Ryan Sam Sarah Sean Simon Sophie Stephen Thomas Tyler Victor William Zoe',
  ),
  family: words(
    'Adams Allen Anderson Bailey Baker Bennett Brooks Brown Campbell Carter Clark Collins Cook Cooper Cox Davis Edwards Evans Fisher Foster Graham Gray Green Griffin Hall Harris Hayes Hill Howard Hughes Jackson Jenkins Johnson Jones Kelly Kennedy King Lewis Long Marshall Martin Mason Miller Mitchell Moore Morgan Morris Murphy Myers Nelson Parker Perry Phillips Porter Price Reed Reynolds Richardson Roberts Robinson Rogers Ross Russell Sanders Scott Shaw Simmons Smith Stewart Sullivan Taylor Thompson Turner Walker Ward Watson West White Williams Wilson Wood Wright Young',
  ),
};

const SPANISH: Names = {
  given: words(
    'Alejandro Álvaro Ana Andrés Carlos Carmen Daniel David Diego Elena Emilio Felipe Fernando Gabriel Gonzalo Héctor Hugo Ignacio Isabel Javier Joaquín Jorge José Juan Julia Laura Lucía Luis Manuel Marcos María Mario Martín Mateo Miguel Nicolás Pablo Paula Pedro Rafael Ricardo Roberto Santiago Sara Sergio Sofía Tomás Valentina Víctor',
  ),
  family: words(
    'Aguilar Álvarez Castillo Castro Cruz Delgado Díaz Domínguez Fernández Flores García Gómez González Gutiérrez Hernández Herrera Iglesias Jiménez López Martín Martínez Medina Mendoza Morales Moreno Muñoz Navarro Ortega Ortiz Peña Pérez Ramírez Ramos Reyes Rivera Rodríguez Romero Ruiz Sánchez Santos Soto Suárez Torres Vargas Vázquez Vega',
  ),
};

const GERMAN: Names = {
  given: words(
    'Alexander Anna Ben Clara Daniel David Elias Emil Emma Erik Fabian Felix Finn Florian Hannah Jan Jana Jannik Johannes Jonas Julian Jürgen Konrad Lara Laura Lea Lena Leon Lukas Marie Markus Matthias Max Michael Moritz Nico Niklas Paul Philipp Sebastian Simon Sophie Stefan Sven Theo Tim Tobias Tom',
  ),
  family: words(
    'Bauer Becker Braun Brüster Fischer Frank Fuchs Günther Hahn Hartmann Hoffmann Huber Jäger Kaiser Keller Klein Koch König Krause Krüger Lang Lehmann Maier Meyer Möller Müller Neumann Peters Richter Roth Schäfer Schmidt Schneider Schröder Schulz Schwarz Vogel Wagner Weber Weiß Werner Winkler Wolf Zimmermann',
  ),
};

const FRENCH: Names = {
  given: words(
    'Adrien Alexandre Alice Antoine Arthur Baptiste Benjamin Camille Charlotte Chloé Clément Émilie Étienne Fabien Florian François Gabriel Guillaume Hugo Jules Julien Léa Léo Loïc Louis Lucas Manon Mathieu Maxime Mickaël Nicolas Paul Philippe Pierre Quentin Raphaël Rémi Romain Sébastien Théo Thomas Valentin Victor',
  ),
  family: words(
    'André Bernard Bertrand Blanc Bonnet Boyer Chevalier Courtès David Dubois Dupont Durand Fontaine Fournier François Gallet Garnier Gauthier Girard Guérin Henry Lambert Laurent Lefebvre Legrand Leroy Martin Mercier Michel Moreau Morel Nicolas Perrin Petit Richard Robert Robin Rousseau Roux Simon Thomas Vincent',
  ),
};

const NORDIC: Names = {
  given: words(
    'Anders Anna Anton Astrid Axel Björn Ebba Elias Elin Ella Emil Erik Filip Freja Gustav Hanna Henrik Hugo Isak Jakob Johan Jonas Karin Karl Klara Lars Linnea Linus Lukas Magnus Maja Mattias Nils Oskar Otto Saga Sara Simon Sofia Sven Tobias Ville William',
  ),
  family: words(
    'Ahlström Andersen Andersson Berg Bergström Borg Dahl Ek Engström Eriksson Fors Gustavsson Hansen Hedlund Holm Holmberg Jensen Johansen Johansson Karlsson Krig Larsson Lind Lindberg Lindqvist Lund Lundgren Nielsen Nilsson Norberg Nyström Olsen Olsson Persson Sandberg Sjöberg Söderström Strand Svensson Virtanen Wallin Åberg Öberg',
  ),
};

const POLISH: Names = {
  given: words(
    'Adam Agnieszka Aleksander Antoni Bartosz Damian Dawid Dominik Filip Grzegorz Hubert Igor Jakub Jan Julia Kacper Kamil Karol Katarzyna Krzysztof Łukasz Maciej Magdalena Marcin Mateusz Michał Mikołaj Natalia Oliwia Patryk Paweł Piotr Rafał Stanisław Szymon Tomasz Wiktor Wojciech Zofia',
  ),
  family: words(
    'Adamczyk Baran Cichecki Czarnecki Dąbrowski Dudek Duda Górski Grabowski Jabłoński Jankowski Kaczmarek Kamiński Kowalczyk Kowalski Kozłowski Król Krawczyk Lewandowski Maciejewski Majewski Malinowski Mazur Michalski Nowak Nowakowski Olszewski Padlewski Pawłowski Piotrowski Rutkowski Sikora Szymański Walczak Wieczorek Wiśniewski Witkowski Wójcik Wróbel Zając Zieliński',
  ),
};

const BRAZILIAN: Names = {
  given: words(
    'Ana André Arthur Beatriz Bruno Caio Carlos Daniel Davi Diego Eduardo Enzo Felipe Fernanda Gabriel Guilherme Gustavo Heitor Henrique Igor João Júlia Larissa Laura Leonardo Letícia Lucas Luiz Marcelo Mariana Mateus Matheus Miguel Murilo Otávio Paulo Pedro Rafael Renato Rodrigo Samuel Sofia Thiago Vinícius Vitor',
  ),
  family: words(
    'Almeida Alves Araújo Azevedo Barbosa Barros Batista Borges Campos Cardoso Carvalho Castro Correia Costa Cunha Dias Duarte Fernandes Ferreira Freitas Gomes Gonçalves Lima Lopes Machado Marques Martins Melo Mendes Monteiro Moreira Moura Nascimento Nunes Oliveira Pereira Pinto Ramos Ribeiro Rocha Rodrigues Santana Santos Silva Souza Teixeira Vieira',
  ),
};

const INDIAN: Names = {
  given: words(
    'Aarav Aditya Akash Ananya Aniket Anirudh Arjun Arnav Aryan Ayush Bhavya Chirag Dev Dhruv Diya Gaurav Harsh Ishaan Ishita Karan Kavya Krishna Manish Meera Mohit Neha Nikhil Nisha Pranav Priya Rahul Rajat Riya Rohan Sahil Sakshi Sanjay Shreya Siddharth Sneha Surya Tanvi Varun Vedant Vignesh Vikram Vishal Yash',
  ),
  family: words(
    'Agarwal Banerjee Bhat Chatterjee Chauhan Chopra Das Desai Deshmukh Dutta Ghosh Gupta Iyer Jain Joshi Kapoor Khan Krishnan Kulkarni Kumar Malhotra Mehta Menon Mishra Mukherjee Nair Naidu Pandey Patel Patil Pillai Rao Reddy Roy Saxena Sen Shah Sharma Shetty Shukla Singh Srinivasan Thakur Trivedi Varma Verma Yadav',
  ),
};

const CHINESE: Names = {
  given: words(
    'Wei Jie Hao Yu Xin Chen Ming Yang Lei Jun Tao Bo Kai Peng Rui Zihan Yifan Haoran Zixuan Yuhang Mingyu Xinyi Jiayi Siyu Yiming Junjie Tianyu Zhihao',
  ),
  localGiven: words(
    '伟 杰 浩 宇 鑫 晨 明 洋 磊 俊 涛 博 凯 鹏 睿 子涵 一凡 浩然 子轩 宇航 明宇 欣怡 佳怡 思雨 一鸣 俊杰 天宇 志豪',
  ),
  family: words(
    'Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie Song Tang Deng Feng Cao Peng Zeng Xiao Tian Dong Pan Yuan',
  ),
  localFamily: words(
    '王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 林 高 罗 郑 梁 谢 宋 唐 邓 冯 曹 彭 曾 肖 田 董 潘 袁',
  ),
};

const JAPANESE: Names = {
  given: words(
    'Haruto Yuto Sota Yuki Hayato Ren Riku Kaito Takumi Shota Daiki Kenta Ryo Naoki Akira Hana Yui Aoi Sakura Misaki Rin Mio',
  ),
  localGiven: words(
    '陽翔 悠斗 颯太 優希 隼人 蓮 陸 海斗 拓海 翔太 大輝 健太 涼 直樹 明 花 結衣 葵 桜 美咲 凛 澪',
  ),
  family: words(
    'Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Yamaguchi Matsumoto Inoue Kimura Hayashi Shimizu Saito Mori Ikeda Hashimoto Ishikawa Ogawa Okada Goto Hasegawa',
  ),
  localFamily: words(
    '佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 清水 斎藤 森 池田 橋本 石川 小川 岡田 後藤 長谷川',
  ),
};

const KOREAN: Names = {
  given: words(
    'Minjun Seojun Doyun Yejun Siwoo Hajun Jiho Junseo Jiwoo Hyunwoo Minjae Seojin Jisoo Sohee Yuna Jimin Taehyung Donghyun',
  ),
  localGiven: words(
    '민준 서준 도윤 예준 시우 하준 지호 준서 지우 현우 민재 서진 지수 소희 유나 지민 태형 동현',
  ),
  family: words('Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Ryu Hong'),
  localFamily: words('김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 홍'),
};

const country = (code: string, weight: number, cities: string, names: Names): WorldCountry => ({
  code,
  weight,
  cities: cities.split(', '),
  names,
});

export const WORLD_COUNTRIES: readonly WorldCountry[] = [
  country(
    'US',
    22,
    'Atlanta, Austin, Boston, Chicago, Denver, Houston, Nashville, Phoenix, Pittsburgh, Portland, Sacramento, Seattle',
    ENGLISH,
  ),
  country(
    'CN',
    15,
    'Beijing, Chengdu, Guangzhou, Hangzhou, Nanjing, Shanghai, Shenzhen, Wuhan, Xian',
    CHINESE,
  ),
  country('IN', 10, 'Bengaluru, Chennai, Delhi, Hyderabad, Kolkata, Mumbai, Pune', INDIAN),
  country('BR', 6, 'Belo Horizonte, Brasilia, Curitiba, Recife, Rio, Salvador, Sao Paulo', BRAZILIAN),
  country('PL', 6, 'Gdansk, Katowice, Krakow, Lodz, Poznan, Warsaw, Wroclaw', POLISH),
  country('FR', 6, 'Bordeaux, Clermont, Lille, Lyon, Marseille, Nantes, Paris, Toulouse', FRENCH),
  country('DE', 5, 'Aachen, Berlin, Bonn, Dresden, Frankfurt, Hamburg, Munich', GERMAN),
  country('CA', 5, 'Calgary, Halifax, Montreal, Ottawa, Toronto, Vancouver', ENGLISH),
  country('AU', 5, 'Adelaide, Brisbane, Hobart, Melbourne, Perth, Sydney', ENGLISH),
  country('ES', 4, 'Barcelona, Bilbao, Madrid, Murcia, Sevilla, Valencia', SPANISH),
  country('GB', 4, 'Bristol, Cardiff, Edinburgh, Leeds, London, Manchester', ENGLISH),
  country('MX', 4, 'Guadalajara, Merida, Mexico City, Monterrey, Puebla', SPANISH),
  country('JP', 3, 'Kanazawa, Kyoto, Nagoya, Osaka, Sapporo, Tokyo', JAPANESE),
  country('KR', 3, 'Busan, Daegu, Daejeon, Incheon, Seoul', KOREAN),
  country('SE', 2, 'Goteborg, Malmo, Stockholm, Uppsala, Vasteras', NORDIC),
  country('DK', 1, 'Aarhus, Copenhagen, Odense, Skarup', NORDIC),
  country('AR', 2, 'Buenos Aires, Cordoba, Mendoza, Rosario', SPANISH),
  country('CO', 2, 'Bogota, Cali, Medellin', SPANISH),
  country('IE', 1, 'Cork, Dublin, Galway, Limerick', ENGLISH),
  country('NZ', 1, 'Auckland, Christchurch, Wellington', ENGLISH),
  country('AT', 1, 'Graz, Linz, Vienna', GERMAN),
  country('ZA', 1, 'Cape Town, Durban, Johannesburg', ENGLISH),
];
